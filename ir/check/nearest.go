package check

// nearest gives the candidate that is most like name, or "" where none is
// close: at most a third of the characters may differ.
func nearest(name string, candidates []string) string {
	best, limit := "", max(1, len(name)/3)+1
	if len(name) > 64 {
		return ""
	}
	for _, cand := range candidates {
		if abs(len(cand)-len(name)) >= limit {
			continue
		}
		if d := distance(name, cand, limit); d < limit {
			best, limit = cand, d
		}
	}
	return best
}

// distance is the Levenshtein distance, or limit where it is not below that.
func distance(a, b string, limit int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost++
			}
			prev = row[j+1]
			row[j+1] = min(cost, prev+1, row[j]+1)
			least = min(least, row[j+1])
		}
		if least >= limit {
			return limit
		}
	}
	return row[len(b)]
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
