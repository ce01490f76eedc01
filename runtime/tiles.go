package runtime

// tileLog is the number of elements of a tile, as a power of two.
func tileLog(elem int64) int64 {
	switch elem {
	case 4:
		return 11
	case 8:
		return 10
	}
	return 12
}

// tile prepares a copy whose source runs fastest along another dimension than its target does, as
// in a transposition: if dimensions were copied one after the other, work-items that write
// neighbours would read elements far apart. It puts the source's dimension before the last, which
// is the target's. It returns the width of a tile along it, as a power of two, and the number of
// tiles. A short dimension makes the tile longer along the other one. If both are short, tiles do
// not pay, and ok is false. A tile is never longer than a work-group.
func tile(dims []copyDim, elem int64) (turned []copyDim, wide, tiles int64, ok bool) {
	last := len(dims) - 1
	fast := last
	for i, d := range dims {
		if d.src != 0 && (dims[fast].src == 0 || abs(d.src) < abs(dims[fast].src)) {
			fast = i
		}
	}
	if fast == last {
		return nil, 0, 0, false
	}
	log := tileLog(elem)
	if dims[fast].n*dims[last].n < 1<<(log-2) {
		return nil, 0, 0, false
	}
	wide = log / 2
	for wide > log-8 && dims[fast].n <= 1<<(wide-1) {
		wide--
	}
	for wide < 8 && dims[last].n <= 1<<(log-wide-1) {
		wide++
	}
	turned = append(turned, dims[:fast]...)
	turned = append(turned, dims[fast+1:last]...)
	turned = append(turned, dims[fast], dims[last])
	tiles = 1
	for _, d := range turned[:last-1] {
		tiles *= d.n
	}
	up := func(n, log int64) int64 { return (n + 1<<log - 1) >> log }
	return turned, wide, tiles * up(dims[fast].n, wide) * up(dims[last].n, log-wide), true
}
