package cli

import (
	"strings"
	"unicode/utf8"
)

const gap = "  "

// table writes aligned columns. Text of servers may be in it: it is made printable here. On a terminal the last column
// is cut at the edge instead of wrapped.
func (p *printer) table(titles []string, rows [][]string) {
	clean := [][]string{titles}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = oneLine(cell)
		}
		clean = append(clean, cells)
	}
	widths := make([]int, len(titles))
	for _, row := range clean {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, row := range clean {
		p.line("%s", p.row(row, widths, i == 0))
	}
}

func (p *printer) row(cells []string, widths []int, title bool) string {
	var b strings.Builder
	used := 0
	for i, cell := range cells {
		last := i == len(cells)-1
		if last {
			b.WriteString(p.paint(p.cut(cell, used), title))
			break
		}
		b.WriteString(p.paint(cell, title))
		b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		b.WriteString(gap)
		used += widths[i] + len(gap)
	}
	return strings.TrimRight(b.String(), " ")
}

// cut shortens the last cell of a row to what is left of the terminal's width.
func (p *printer) cut(cell string, used int) string {
	room := p.width - used
	if p.width == 0 || utf8.RuneCountInString(cell) <= room || room < 10 {
		return cell
	}
	return string([]rune(cell)[:room-1]) + "…"
}

const (
	bold   = "\x1b[1m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	red    = "\x1b[31m"
	reset  = "\x1b[0m"
)

// paint gives some words a colour, beside the word itself: colour alone never tells anything.
func (p *printer) paint(cell string, title bool) string {
	if !p.colour || cell == "" {
		return cell
	}
	if title {
		return bold + cell + reset
	}
	switch cell {
	case "ready", "ok", "allow", "low":
		return green + cell + reset
	case "starting", "installing", "degraded", "needs_sign_in", "needs_approval", "ask", "medium", "note":
		return yellow + cell + reset
	case "stopped", "failed", "deny", "high", "problem":
		return red + cell + reset
	default:
		return cell
	}
}
