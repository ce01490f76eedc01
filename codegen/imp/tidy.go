package imp

// tidy drops the barriers of a kernel of groups behind which nothing happened since the
// one before. clean tells that nothing did where the list begins; it is given for the end.
//
// A loop begins as what is before it ends, and as its body ends: where the body, begun
// clean, ends clean, every turn begins so.
func tidy(list []Stmt, clean bool) ([]Stmt, bool) {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Barrier:
			if clean && !s.Leave {
				continue
			}
			clean = true
		case *Set, *SetMem, *PtrAt, *Check, *Free:
		case *If:
			then, a := tidy(s.Then, clean)
			els, b := tidy(s.Else, clean)
			s.Then, s.Else, clean = then, els, a && b
		case *For:
			s.Body, clean = tidyLoop(s.Body, clean)
		case *While:
			s.Body, clean = tidyLoop(s.Body, clean)
		default:
			clean = false
		}
		out = append(out, s)
	}
	return out, clean
}

func tidyLoop(body []Stmt, clean bool) ([]Stmt, bool) {
	if !holdsBarrier(body) {
		return body, false
	}
	if clean && !endsClean(body, true) {
		clean = false
	}
	body, end := tidy(body, clean)
	return body, clean && end
}

// endsClean tells how a list ends that begins clean or not; it changes nothing.
func endsClean(list []Stmt, clean bool) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Barrier:
			clean = true
		case *Set, *SetMem, *PtrAt, *Check, *Free:
		case *If:
			clean = endsClean(s.Then, clean) && endsClean(s.Else, clean)
		case *For:
			clean = holdsBarrier(s.Body) && clean && endsClean(s.Body, clean)
		case *While:
			clean = holdsBarrier(s.Body) && clean && endsClean(s.Body, clean)
		default:
			clean = false
		}
	}
	return clean
}

func holdsBarrier(list []Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Barrier:
			return true
		case *If:
			if holdsBarrier(s.Then) || holdsBarrier(s.Else) {
				return true
			}
		case *For:
			if holdsBarrier(s.Body) {
				return true
			}
		case *While:
			if holdsBarrier(s.Body) {
				return true
			}
		}
	}
	return false
}
