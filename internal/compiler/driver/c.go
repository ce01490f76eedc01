package driver

import (
	"github.com/memc-lang/memc/codegen/futharkapi"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/ir/diag"
)

// Prefix returns the prefix of C names that belongs to the name of a C file.
func Prefix(file string) string { return opencl.Prefix(file) }

// COptions tells how a C file is to be written.
type COptions struct {
	Prefix  string // of the names of memc's own API
	Header  string // the name of the header's file
	Library bool   // leave main out
	Server  bool   // of Futhark's API: main is a server
}

// C writes a lowered program as C source and header, with memc's own API.
func C(low *Lowered, opt COptions) (source, header string, err error) {
	return opencl.Host(low.Imp, low.Kernels, opencl.HostOptions{Prefix: opt.Prefix, Header: opt.Header, Library: opt.Library})
}

// FutharkC writes a lowered program as C source and header, with Futhark's API, and
// the manifest of that. The types of a dump of Futhark's memory IR are those of its
// source; f is the file that the program comes from.
func FutharkC(low *Lowered, f *diag.File, opt COptions) (source, header, manifest string, err error) {
	var in *signature.Interface
	if f != nil && futhark.Recognises(f) {
		var list *diag.List
		if in, list = futhark.Signature(f); list.Failed() {
			return "", "", "", list
		}
	}
	api, err := futharkapi.New(low.Imp, in)
	if err != nil {
		return "", "", "", err
	}
	api.Server = opt.Server
	source, header, err = opencl.Host(low.Imp, low.Kernels, opencl.HostOptions{Header: opt.Header, Library: opt.Library, API: api})
	if err != nil {
		return "", "", "", err
	}
	manifest, err = api.Manifest()
	return source, header, manifest, err
}
