package diag

// Nearest returns the candidate with the smallest edit distance to name, if it is near enough to be
// a misspelling, or "". Among equals the first wins. Names of more than longest characters are not
// compared: nobody mistypes them, and comparing takes long.
func Nearest(name string, candidates []string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	best, bestDist := "", len(name)/3+2
	if len(name) < 4 {
		bestDist = min(2, len(name))
	}
	for _, c := range candidates {
		if diff := len(c) - len(name); diff >= bestDist || -diff >= bestDist || c == name {
			continue
		}
		if d := distance(name, c, bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance, given up at limit.
func distance(a, b string, limit int) int {
	prev, cur := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			low = min(low, cur[j])
		}
		if low >= limit {
			return limit
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
