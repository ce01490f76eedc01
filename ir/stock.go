package ir

import "strconv"

// A Stock hands out names that occur nowhere in a program.
type Stock struct {
	p     *Program
	taken map[string]bool // nil until the first request
	next  map[string]int
}

// NewStock returns the names that are free in a program. It looks at the program when the first name
// is requested.
func NewStock(p *Program) *Stock { return &Stock{p: p} }

// open collects the names that are taken.
func (s *Stock) open() {
	if s.taken != nil {
		return
	}
	s.taken, s.next = map[string]bool{}, map[string]int{}
	take := func(n string) { s.taken[n] = true }
	for _, f := range s.p.Funcs {
		AllNames(f, take)
	}
}

// Plain returns a new name that the user has none for: base, else base_1, base_2, ..
func (s *Stock) Plain(base string) string {
	s.open()
	name := base
	for s.taken[name] {
		s.next[base]++
		name = base + "_" + strconv.Itoa(s.next[base])
	}
	s.taken[name] = true
	return name
}

// Fresh returns a new name, x'2, x'3, ..; x is the user's name for it and for the name given.
func (s *Stock) Fresh(name string) string {
	s.open()
	user := s.p.Speak(name)
	for {
		s.next[user+"'"]++
		n := user + "'" + strconv.Itoa(s.next[user+"'"]+1)
		if !s.taken[n] {
			s.taken[n] = true
			if s.p.Renamed == nil {
				s.p.Renamed = map[string]string{}
			}
			s.p.Renamed[n] = user
			return n
		}
	}
}
