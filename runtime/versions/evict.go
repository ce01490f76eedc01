package versions

import "errors"

// store makes storage at a place, and evicts others until there is room.
func (t *Table) store(b *Block, p Place) error {
	b.Pin() // the copy that it is going to be filled from stays
	defer b.Unpin()
	for {
		err := t.act.Make(b, p)
		if err == nil {
			t.hold(b, p)
			return nil
		}
		if !errors.Is(err, ErrFull) {
			return err
		}
		gone, failed := t.Evict(p)
		if failed != nil {
			return failed
		}
		if !gone {
			return err
		}
	}
}

// Evict drops the storage of one block at a place, the least recently used one of those that
// cost least. It is false if no block there can go: each is pinned, or the only valid place
// of its block and no other has room.
func (t *Table) Evict(p Place) (bool, error) {
	if t.shed(p) {
		return true, nil
	}
	for e := t.order[p].Front(); e != nil; e = e.Next() {
		b := e.Value.(*Block)
		if b.pins > 0 {
			continue
		}
		switch ok, err := t.shelter(b, p); {
		case err != nil:
			return false, err
		case ok:
			t.drop(b, p)
			return true, nil
		}
	}
	return false, nil
}

// shed drops storage that nothing must move for: stale one first, then what is valid
// elsewhere, too.
func (t *Table) shed(p Place) bool {
	var spare *Block
	for e := t.order[p].Front(); e != nil; e = e.Next() {
		b := e.Value.(*Block)
		if b.pins > 0 {
			continue
		}
		if !b.Valid(p) || b.latest == 0 {
			t.drop(b, p)
			return true
		}
		if spare == nil && t.elsewhere(b, p) {
			spare = b
		}
	}
	if spare != nil {
		t.drop(spare, p)
	}
	return spare != nil
}

// elsewhere reports whether another place than p is valid.
func (t *Table) elsewhere(b *Block, p Place) bool {
	for q := range b.at {
		if Place(q) != p && b.Valid(Place(q)) {
			return true
		}
	}
	return false
}

// shelter moves a block from a full place to the first that has room for it. There only
// storage is given up that nothing must move for.
func (t *Table) shelter(b *Block, p Place) (bool, error) {
	b.Pin()
	defer b.Unpin()
	for _, q := range t.opt.Shelters[p] {
		if !b.Held(q) {
			err := t.act.Make(b, q)
			for errors.Is(err, ErrFull) && t.shed(q) {
				err = t.act.Make(b, q)
			}
			if errors.Is(err, ErrFull) {
				continue
			}
			if err != nil {
				return false, err
			}
			t.hold(b, q)
		}
		if err := t.move(b, p, q, true); err != nil {
			return false, err
		}
		return true, nil
	}
	return false, nil
}
