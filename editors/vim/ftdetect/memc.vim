autocmd BufRead,BufNewFile *.ir setfiletype memc
