-- What a user of Neovim does with a program, by the functions that keys are bound to. Neovim 0.7 and later.
local function say(...) io.stdout:write(table.concat({...}, " ") .. "\n") end

local function wait(what, done)
  if not vim.wait(30000, done, 20) then
    say("waited in vain for", what)
    vim.cmd("cquit")
  end
end

local function line(n) return vim.api.nvim_buf_get_lines(0, n - 1, n, false)[1] end

local function errors()
  return vim.diagnostic.get(0, {severity = vim.diagnostic.severity.ERROR})
end

local function floating() -- the text of the window that hovers
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(w).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false), " "), w
    end
  end
end

vim.cmd("edit a.ir")
say("filetype", vim.bo.filetype)
wait("an error", function() return #errors() > 0 end)
for _, d in ipairs(errors()) do say("error", d.lnum + 1, d.col + 1, d.message) end
vim.api.nvim_buf_set_lines(0, 3, 4, false, {"  in s + s"})
wait("no error", function() return #errors() == 0 end)

vim.api.nvim_win_set_cursor(0, {3, (line(3):find("ys", 1, true)) - 1})
vim.lsp.buf.hover()
wait("hover", floating)
local text, window = floating()
say("hover", (text:gsub("[─%s]+", " ")))
vim.api.nvim_win_close(window, true)

vim.lsp.buf.definition()
wait("the definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 2 end)
say("definition", unpack(vim.api.nvim_win_get_cursor(0)))
vim.lsp.buf.references()
wait("references", function() return #vim.fn.getqflist() > 0 end)
for _, r in ipairs(vim.fn.getqflist()) do say("reference", r.lnum, r.col) end
vim.cmd("cclose")
vim.lsp.buf.rename("zs")
wait("another name", function() return line(2):find("zs", 1, true) end)
if vim.lsp.buf.format then vim.lsp.buf.format({timeout_ms = 30000}) else vim.lsp.buf.formatting_sync(nil, 30000) end
say(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
vim.cmd("qall!")
