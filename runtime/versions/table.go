package versions

import (
	"container/list"
	"errors"
)

// A Place is where storage can be; they are numbered from 0.
type Place int

// ErrFull is how an Actor says that a place has no room for a block.
var ErrFull = errors.New("no room")

// An Actor does what a Table decides. If a step fails, it has changed nothing.
type Actor interface {
	// Make returns the block storage at a place, which holds nothing yet. An error that wraps
	// ErrFull tells that there is no room.
	Make(b *Block, at Place) error
	// Move copies the block's contents between its storage at two places. spill tells that
	// the source is about to be dropped for lack of room.
	Move(b *Block, from, to Place, spill bool) error
	// Drop gives the block's storage at a place back.
	Drop(b *Block, at Place)
}

// Options of a table.
type Options struct {
	Places int
	// Near lists for each place the others, the best source first; what a full place
	// evicts goes to the first of Shelters that has room.
	Near, Shelters [][]Place
}

// A Table knows the blocks of several places.
type Table struct {
	act   Actor
	opt   Options
	order []*list.List // per place the blocks with storage there, the least recently used first
}

// New makes a table without blocks.
func New(act Actor, opt Options) *Table {
	t := &Table{act: act, opt: opt}
	for range opt.Places {
		t.order = append(t.order, list.New())
	}
	return t
}

// A Block is contents that may lie in several places.
type Block struct {
	Owner  any // whoever uses the table knows what this is
	latest int64
	at     []storage
	pins   int
}

// A storage is what a place has of a block.
type storage struct {
	use     *list.Element // in the place's order; nil: there is no storage
	version int64
}

// NewBlock makes a block without contents and without storage.
func (t *Table) NewBlock(owner any) *Block {
	return &Block{Owner: owner, at: make([]storage, t.opt.Places)}
}

// Latest returns the version of the contents; 0: there are none.
func (b *Block) Latest() int64 { return b.latest }

// Held reports whether the block has storage at a place.
func (b *Block) Held(p Place) bool { return b.at[p].use != nil }

// Valid reports whether a place holds the latest version.
func (b *Block) Valid(p Place) bool { return b.Held(p) && b.at[p].version == b.latest }

// Pin keeps all storage of the block where it is, until Unpin was called as often.
func (b *Block) Pin() { b.pins++ }

// Unpin ends a Pin.
func (b *Block) Unpin() { b.pins-- }

// Nearest returns the valid place that is nearest to another one, which may be that place
// itself. It is false for a block without contents.
func (t *Table) Nearest(b *Block, p Place) (Place, bool) {
	if b.Valid(p) {
		return p, b.latest > 0
	}
	for _, q := range t.opt.Near[p] {
		if b.Valid(q) {
			return q, b.latest > 0
		}
	}
	return p, false
}

// Bring returns the block storage at a place, with the latest version in it unless a command
// overwrites all of the block.
func (t *Table) Bring(b *Block, p Place, overwritten bool) error {
	if b.Held(p) {
		t.order[p].MoveToBack(b.at[p].use)
	} else if err := t.store(b, p); err != nil {
		return err
	}
	if b.Valid(p) || b.latest == 0 || overwritten {
		return nil
	}
	from, ok := t.Nearest(b, p)
	if !ok {
		panic("versions: no place holds the latest version")
	}
	return t.move(b, from, p, false)
}

// Wrote tells that a command at a place writes the block, after Bring.
func (t *Table) Wrote(b *Block, p Place) {
	if !b.Held(p) {
		panic("versions: a place without storage is written")
	}
	b.latest++
	b.at[p].version = b.latest
}

// Free drops all storage of a block, which must not be used any more.
func (t *Table) Free(b *Block) {
	b.latest = 0
	for p := range b.at {
		if b.Held(Place(p)) {
			t.drop(b, Place(p))
		}
	}
}

func (t *Table) move(b *Block, from, to Place, spill bool) error {
	if err := t.act.Move(b, from, to, spill); err != nil {
		return err
	}
	b.at[to].version = b.latest
	return nil
}

// hold records storage that was made. Its version is one that no contents have.
func (t *Table) hold(b *Block, p Place) {
	b.at[p] = storage{t.order[p].PushBack(b), -1}
}

func (t *Table) drop(b *Block, p Place) {
	t.order[p].Remove(b.at[p].use)
	b.at[p].use = nil
	t.act.Drop(b, p)
}
