//go:build cgo && !darwin

package runtime

import (
	"fmt"
	"slices"
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

func indices(list []DeviceInfo) (at []int) {
	for _, d := range list {
		at = append(at, d.Index)
	}
	return at
}

func TestChoose(t *testing.T) {
	all := someDevices()
	for _, c := range []struct {
		selector string
		want     []int
	}{
		{"", []int{1}}, {"0", []int{0}}, {"2", []int{2}}, {"h100", []int{2}}, {"nvidia", []int{1}}, {"portable", []int{0}}, {"h200", []int{1}},
		{"1", []int{1}}, {"#2", []int{2}}, {"#1 nvidia", []int{2}}, {"2,portable,", []int{2, 0, 1}}, {"#1 nvidia,1", []int{2, 1}},
	} {
		got, err := choose(all, c.selector)
		if err != nil || !slices.Equal(indices(got), c.want) {
			t.Errorf("choose(%q) = %v, %v; want %d", c.selector, got, err, c.want)
		}
	}
	if list, err := choose(all[:1], ""); err != nil || len(list) != 1 || list[0].Index != 0 {
		t.Errorf("without a GPU: %v, %v; want #0", list, err)
	}
}

func TestChooseRefuses(t *testing.T) {
	if _, err := choose(nil, ""); err != ErrNoDevice {
		t.Errorf("no devices: %v, want ErrNoDevice", err)
	}
	for _, list := range []string{"0,0", "h200,1", "0,1,2,0"} {
		if _, err := choose(someDevices(), list); err == nil || err.Error() != fmt.Sprintf("a device is named twice in %q", list) {
			t.Errorf("choose(%q): %v", list, err)
		}
	}
	for _, selector := range []string{"3", "-1", "200", "radeon", "#3", "#2 nvidia"} {
		_, err := choose(someDevices(), "0,"+selector+",1")
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
