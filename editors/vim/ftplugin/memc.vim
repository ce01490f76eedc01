" Comments, and memc's layout of two spaces; :make checks the file.
setlocal commentstring=--\ %s comments=:-- expandtab shiftwidth=2 softtabstop=2
setlocal iskeyword+='
setlocal makeprg=memc\ check\ %:S errorformat=%f:%l:%c:\ %trror[E%n]:\ %m,%f:%l:%c:\ %tarning[E%n]:\ %m,%f:%l:%c\ (%*[^)]):\ %trror[E%n]:\ %m,%-G%.%#
