//go:build cgo && !darwin

package runtime

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/fakecl"
)

func someDevices() (list []DeviceInfo) {
	m := fakecl.New(1)
	for _, d := range []DeviceInfo{
		{Index: 0, Name: "pthread-haswell", Platform: "Portable Computing Language"},
		{Index: 1, Name: "NVIDIA H200", Platform: "NVIDIA CUDA", GPU: true},
		{Index: 2, Name: "NVIDIA H100", Platform: "NVIDIA CUDA", GPU: true},
	} {
		_, info := simDevice(m, d)
		list = append(list, info)
	}
	return list
}

func TestChoose(t *testing.T) {
	all := someDevices()
	for _, c := range []struct {
		selector string
		want     int
	}{
		{"", 1}, {"0", 0}, {"2", 2}, {"h100", 2}, {"nvidia", 1}, {"portable", 0}, {"h200", 1}, {"1", 1}, {"#2", 2}, {"#1 nvidia", 2},
	} {
		got, err := choose(all, c.selector)
		if err != nil || got != c.want {
			t.Errorf("choose(%q) = %d, %v; want %d", c.selector, got, err, c.want)
		}
	}
	if i, err := choose(all[:1], ""); err != nil || i != 0 {
		t.Errorf("without a GPU: %d, %v; want 0", i, err)
	}
}

func TestChooseRefuses(t *testing.T) {
	if _, err := choose(nil, ""); err != ErrNoDevice {
		t.Errorf("no devices: %v, want ErrNoDevice", err)
	}
	for _, selector := range []string{"3", "-1", "200", "radeon", "#3", "#2 nvidia"} {
		_, err := choose(someDevices(), selector)
		if err == nil {
			t.Errorf("choose(%q) succeeded", selector)
			continue
		}
		for _, want := range []string{`"` + selector + `"`, "#0 pthread-haswell", "#2 NVIDIA H100 (NVIDIA CUDA)"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("choose(%q): %q does not mention %q", selector, err, want)
			}
		}
	}
}
