package main

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/futharktest"
	"github.com/memc-lang/memc/internal/pipeline"
	"github.com/memc-lang/memc/transform"
)

// compareMemory prints, per sample and target, the allocations in the dump from
// before Futhark's memory passes, in that from after them, and in what memc's
// passes make of the first; and the bytes at the peak, summed over the inputs,
// of the two programs that are compared. A star marks a sample of which memc did
// not keep all places that Futhark chose: its peak is not Futhark's.
func compareMemory(samples []futharktest.Sample, passes []*transform.Pass) {
	only, err := pipeline.Parse("explicit")
	if err != nil {
		fail(err)
	}
	byKey := map[string]futharktest.Sample{}
	for _, s := range samples {
		byKey[s.Name+" "+s.Stage] = s
	}
	fmt.Printf("%-22s %-4s %8s %8s %8s  %12s %12s\n", "sample", "", "before", "after", "memc", "peak after", "peak memc")
	var sumBefore, sumAfter, sumMemc, fewer, equal, more int
	var less, same, greater int
	for _, s := range samples {
		target, ok := strings.CutSuffix(s.Stage, "-before")
		after, both := byKey[s.Name+" "+target+"-after"]
		if !ok || !both {
			continue
		}
		ours := futharktest.Run(s, futharktest.Options{Passes: passes, Values: true})
		theirs := futharktest.Run(after, futharktest.Options{Passes: only, Values: true})
		if ours.Err != nil || theirs.Err != nil {
			fmt.Printf("%-22s %-4s not compared\n", s.Name, target)
			continue
		}
		star := ""
		if !theirs.Placed {
			star = "*"
		}
		fmt.Printf("%-22s %-4s %8d %8d %8d  %12d %12d\n", s.Name+star, target, ours.Allocs, theirs.Allocs, ours.Counts.Alloc, theirs.Peak, ours.Peak)
		sumBefore, sumAfter, sumMemc = sumBefore+ours.Allocs, sumAfter+theirs.Allocs, sumMemc+ours.Counts.Alloc
		count(ours.Counts.Alloc, theirs.Allocs, &fewer, &equal, &more)
		count(int(ours.Peak), int(theirs.Peak), &less, &same, &greater)
	}
	fmt.Printf("%-22s %-4s %8d %8d %8d\n", "sum", "", sumBefore, sumAfter, sumMemc)
	fmt.Printf("allocations: memc fewer than Futhark in %d, equal in %d, more in %d\n", fewer, equal, more)
	fmt.Printf("peak bytes:  memc less than Futhark in %d, equal in %d, more in %d\n", less, same, greater)
}

func count(ours, theirs int, less, equal, more *int) {
	switch {
	case ours < theirs:
		*less++
	case ours > theirs:
		*more++
	default:
		*equal++
	}
}
