package benchmarks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every program with loops by hand is where its path says, and its C is whole.
func TestByHand(t *testing.T) {
	for _, h := range ByHand() {
		text, err := os.ReadFile(filepath.Join("..", h.Path))
		if err != nil || string(text) != h.Source {
			t.Errorf("%s: %v", h.Path, err)
		}
		if strings.Contains(h.C, "hand.h\"") || !strings.Contains(h.C, "int main(") || !strings.Contains(h.C, "hand_now") {
			t.Errorf("%s: the C lacks its header or its main", h.Name)
		}
	}
}
