package benchmarks

// all is the suite, by name.
var all = []Benchmark{
	{"LocVolCalib", []Set{
		{"tiny", locVolArgs(3, 8, 6, 5)}, {"small", locVolArgs(16, 32, 256, 32)},
		{"medium", locVolArgs(128, 256, 32, 64)}, {"large", locVolArgs(256, 256, 256, 64)},
	}},
	{"LocVolCalib-chunks", []Set{
		{"tiny", locVolArgs(3, 8, 6, 5)}, {"small", locVolArgs(16, 32, 256, 32)},
		{"medium", locVolArgs(128, 256, 32, 64)}, {"large", locVolArgs(256, 256, 256, 64)},
	}},
	{"OptionPricing", []Set{
		{"tiny", optionArgs(3, 6, 4, 2, 4, 3)}, {"tiny-european", optionArgs(1, 30, 30, 1, 1, 1)}, {"tiny-worst-off", optionArgs(2, 20, 7, 1, 5, 3)},
		{"small", optionArgs(3, 1<<12, 1<<10, 1, 16, 3)}, {"medium", optionArgs(2, 1<<20, 1<<16, 1, 5, 3)}, {"large", optionArgs(3, 1<<17, 1<<16, 1, 367, 3)},
		{"finpar-small", optionArgs(1, 1<<23, 1<<17, 1, 1, 1)},
	}},
	{"OptionPricing-fused", []Set{
		{"tiny", optionArgs(3, 6, 4, 2, 4, 3)}, {"tiny-european", optionArgs(1, 30, 30, 1, 1, 1)}, {"tiny-worst-off", optionArgs(2, 20, 7, 1, 5, 3)},
		{"small", optionArgs(3, 1<<12, 1<<10, 1, 16, 3)}, {"medium", optionArgs(2, 1<<20, 1<<18, 1, 5, 3)}, {"large", optionArgs(3, 1<<17, 1<<17, 1, 367, 3)},
		{"finpar-small", optionArgs(1, 1<<23, 1<<19, 1, 1, 1)},
	}},
	{"backprop", []Set{
		{"tiny", backpropArgs(7, 4)}, {"small", backpropArgs(1<<14, 16)},
		{"medium", backpropArgs(1<<20, 16)}, {"large", backpropArgs(1<<22, 16)},
	}},
	{"bfs", []Set{
		{"tiny", graphArgs(60)}, {"small", graphArgs(4096)},
		{"medium", graphArgs(65_536)}, {"large", graphArgs(1_000_000)},
	}},
	{"bfs-frontier", []Set{
		{"tiny", graphArgs(60)}, {"small", graphArgs(4096)},
		{"medium", graphArgs(65_536)}, {"large", graphArgs(1_000_000)},
	}},
	{"canny", []Set{
		{"tiny", cannyArgs(12, 14)}, {"small", cannyArgs(512, 512)},
		{"medium", cannyArgs(2048, 2048)}, {"large", cannyArgs(8192, 8192)},
	}},
	{"canny-edges", []Set{
		{"tiny", cannyArgs(12, 14)}, {"small", cannyArgs(512, 512)},
		{"medium", cannyArgs(2048, 2048)}, {"large", cannyArgs(8192, 8192)},
	}},
	{"canny-groups", []Set{
		{"tiny", inTiles(cannyArgs(12, 14), 5, 4)}, {"small", inTiles(cannyArgs(512, 512), 32, 64)},
		{"medium", inTiles(cannyArgs(2048, 2048), 32, 64)}, {"large", inTiles(cannyArgs(8192, 8192), 32, 64)},
	}},
	{"cfd", []Set{
		{"tiny", cfdArgs(4, 5, 2)}, {"small", cfdArgs(64, 64, 10)},
		{"medium", cfdArgs(311, 312, 100)}, {"large", cfdArgs(1000, 1000, 100)},
	}},
	{"crypt", []Set{
		{"tiny", cryptArgs(40)}, {"small", cryptArgs(1 << 16)},
		{"medium", cryptArgs(1 << 23)}, {"large", cryptArgs(50_000_000 / 8 * 8)},
	}},
	{"crystal", []Set{
		{"tiny", crystalArgs(7, 5)}, {"small", crystalArgs(200, 50)},
		{"medium", crystalArgs(2000, 50)}, {"large", crystalArgs(4000, 50)},
	}},
	{"fluid", []Set{
		{"tiny", fluidArgs(7, 2)}, {"small", fluidArgs(66, 2)},
		{"medium", fluidArgs(130, 1)}, {"large", fluidArgs(1026, 5)},
	}},
	{"heston", []Set{
		{"tiny", hestonArgs(3, 4, 5, 64)}, {"small", hestonArgs(5, 16, 32, 64)},
		{"medium", hestonArgs(50, 100, 256, 128)}, {"large", hestonArgs(50, 1000, 1024, 128)},
	}},
	{"hotspot", []Set{
		{"tiny", hotspotArgs(5, 7, 3)}, {"small", hotspotArgs(512, 512, 60)},
		{"medium", hotspotArgs(1024, 1024, 360)}, {"large", hotspotArgs(8192, 8192, 360)},
	}},
	{"hotspot-groups", []Set{
		{"tiny", inTiles(hotspotArgs(5, 7, 3), 2, 3, 2)}, {"small", inTiles(hotspotArgs(512, 512, 60), 24, 56, 4)},
		{"medium", inTiles(hotspotArgs(1024, 1024, 360), 24, 56, 4)}, {"large", inTiles(hotspotArgs(8192, 8192, 360), 24, 56, 4)},
	}},
	{"kmeans", []Set{
		{"tiny", kmeansArgs(24, 3, 4)}, {"small", kmeansArgs(5000, 34, 5)},
		{"medium", kmeansArgs(200_000, 34, 5)}, {"large", kmeansArgs(494_020, 34, 5)},
	}},
	{"lavaMD", []Set{
		{"tiny", lavaArgs(3, 2)}, {"small", lavaArgs(3, 50)},
		{"medium", lavaArgs(3, 100)}, {"large", lavaArgs(10, 100)},
	}},
	{"lbm", []Set{
		{"tiny", lbmArgs(4, 3, 3, 2)}, {"small", lbmArgs(24, 32, 32, 20)},
		{"medium", lbmArgs(150, 120, 120, 100)}, {"large", lbmArgs(300, 240, 240, 100)},
	}},
	{"life", []Set{
		{"tiny", lifeArgs(6, 8, 4)}, {"small", lifeArgs(256, 256, 40)},
		{"medium", lifeArgs(2048, 2048, 100)}, {"large", lifeArgs(8192, 8192, 100)},
	}},
	{"lud", []Set{
		{"tiny", ludArgs(10, 4)}, {"small", ludArgs(256, 16)},
		{"medium", ludArgs(2048, 16)}, {"large", ludArgs(4096, 16)},
	}},
	{"lud-groups", []Set{
		{"tiny", ludArgs(10, 4)}, {"small", ludArgs(256, 16)},
		{"medium", ludArgs(2048, 32)}, {"large", ludArgs(4096, 32)},
	}},
	{"mandelbrot", []Set{
		{"tiny", mandelbrotArgs(9, 6, 30)}, {"small", mandelbrotArgs(320, 240, 100)},
		{"medium", mandelbrotArgs(1000, 1000, 255)}, {"large", mandelbrotArgs(8000, 8000, 255)},
	}},
	{"mri-q", []Set{
		{"tiny", mriArgs(5, 7)}, {"small", mriArgs(256, 4096)},
		{"medium", mriArgs(3072, 32768)}, {"large", mriArgs(2048, 262_144)},
	}},
	{"myocyte", []Set{
		{"tiny", myocyteArgs(3, 0.01, 4, 2)}, {"small", myocyteArgs(1, 0.0001, 1, 100)},
		{"medium", myocyteArgs(13, 0.0001, 65_536, 3)}, {"large", myocyteArgs(13, 0.0001, 262_144, 10)},
	}},
	{"nbody", []Set{
		{"tiny", nbodyArgs(6, 3)}, {"small", nbodyArgs(1000, 3)},
		{"medium", nbodyArgs(10_000, 10)}, {"large", nbodyArgs(100_000, 1)},
	}},
	{"nn", []Set{
		{"tiny", nnArgs(40, 5)}, {"small", nnArgs(1<<16, 20)},
		{"medium", nnArgs(1<<20, 100)}, {"large", nnArgs(1<<24, 100)},
	}},
	{"nw", []Set{
		{"tiny", nwArgs(12, 4)}, {"small", nwArgs(512, 16)},
		{"medium", nwArgs(2048, 16)}, {"large", nwArgs(8192, 16)},
	}},
	{"nw-diagonals", []Set{
		{"tiny", nwDiagonalsArgs(9)}, {"small", nwDiagonalsArgs(512)},
		{"medium", nwDiagonalsArgs(2048)}, {"large", nwDiagonalsArgs(8192)},
	}},
	{"nw-groups", []Set{
		{"tiny", nwArgs(12, 4)}, {"small", nwArgs(512, 32)},
		{"medium", nwArgs(2048, 64)}, {"large", nwArgs(8192, 64)},
	}},
	{"pathfinder", []Set{
		{"tiny", pathfinderArgs(6, 9)}, {"small", pathfinderArgs(100, 20000)},
		{"medium", pathfinderArgs(1000, 100_000)}, {"large", pathfinderArgs(1000, 400_000)},
	}},
	{"pathfinder-groups", []Set{
		{"tiny", inTiles(pathfinderArgs(6, 9), 2, 2)}, {"small", inTiles(pathfinderArgs(100, 20000), 192, 32)},
		{"medium", inTiles(pathfinderArgs(1000, 100_000), 192, 32)}, {"large", inTiles(pathfinderArgs(1000, 400_000), 192, 32)},
	}},
	{"radix-sort", []Set{
		{"tiny", radixArgs(20)}, {"small", radixArgs(50_000)},
		{"medium", radixArgs(1_000_000)}, {"large", radixArgs(10_000_000)},
	}},
	{"radix-sort-digits", []Set{
		{"tiny", radixDigitsArgs(23, 5)}, {"small", radixDigitsArgs(50_000, 256)},
		{"medium", radixDigitsArgs(1_000_000, 256)}, {"large", radixDigitsArgs(10_000_000, 256)},
	}},
	{"radix-sort-groups", []Set{
		{"tiny", radixDigitsArgs(23, 5)}, {"small", radixDigitsArgs(50_000, 1024)},
		{"medium", radixDigitsArgs(1_000_000, 1024)}, {"large", radixDigitsArgs(10_000_000, 1024)},
	}},
	{"series", []Set{
		{"tiny", seriesArgs(4)}, {"small", seriesArgs(500)},
		{"medium", seriesArgs(100_000)}, {"large", seriesArgs(1_000_000)},
	}},
	{"sgemm", []Set{
		{"tiny", sgemmArgs(4, 5, 3)}, {"small", sgemmArgs(128, 160, 144)},
		{"medium", sgemmArgs(1024, 992, 1056)}, {"large", sgemmArgs(4096, 4096, 4096)},
	}},
	{"sgemm-groups", []Set{
		{"tiny", sgemmArgs(4, 5, 3)}, {"small", sgemmArgs(128, 160, 144)},
		{"medium", sgemmArgs(1024, 992, 1056)}, {"large", sgemmArgs(4096, 4096, 4096)},
	}},
	{"srad", []Set{
		{"tiny", sradArgs(7, 6, 3)}, {"small", sradArgs(230, 250, 20)},
		{"medium", sradArgs(502, 458, 100)}, {"large", sradArgs(2048, 2048, 100)},
	}},
	{"srad-groups", []Set{
		{"tiny", inTiles(sradArgs(7, 6, 3), 3, 2)}, {"small", inTiles(sradArgs(230, 250, 20), 16, 32)},
		{"medium", inTiles(sradArgs(502, 458, 100), 16, 32)}, {"large", inTiles(sradArgs(2048, 2048, 100), 64, 64)},
	}},
	{"stencil", []Set{
		{"tiny", stencilArgs(4, 5, 6, 3)}, {"small", stencilArgs(32, 64, 64, 50)},
		{"medium", stencilArgs(64, 512, 512, 100)}, {"large", stencilArgs(256, 512, 512, 100)},
	}},
	{"tpacf", []Set{
		{"tiny", tpacfArgs(8, 2, 7, 4)}, {"small", tpacfArgs(97, 10, 97, 20)},
		{"medium", tpacfArgs(487, 100, 487, 20)}, {"large", tpacfArgs(4096, 100, 4096, 20)},
	}},
	{"tunnel", []Set{
		{"tiny", tunnelArgs(5, 6)}, {"small", tunnelArgs(480, 640)},
		{"medium", tunnelArgs(2000, 2000)}, {"large", tunnelArgs(8000, 8000)},
	}},
}
