package audit

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strconv"

	"apollia.fr/connexions/backend/domain"
)

// Report says whether the log is whole.
type Report struct {
	OK bool `json:"ok"`
	// Entries counts those that were found intact, from the first on.
	Entries int `json:"entries"`
	// Removed counts those before, which were longer ago than they are kept.
	Removed uint64 `json:"removed,omitempty"`
	// Unchecked counts those of Entries, from the first on, that were sealed with a key that is lost: whether they were
	// changed before the new key nobody can say, and since then they were not.
	Unchecked int `json:"unchecked,omitempty"`
	// Torn counts lines that a kill or a full disk cut short; nothing was done on their word.
	Torn int `json:"torn,omitempty"`
	// BrokenAt is the sequence number of the first entry that was changed or is missing; 0 when OK.
	BrokenAt uint64 `json:"broken_at,omitempty"`
	// Error has CodeAuditBroken; its argument break is edited, missing, cut or rebuilt.
	Error *domain.Error `json:"error,omitempty"`
}

// The ways in which a chain can be broken.
const (
	breakEdited  = "edited"  // an entry does not fit its hash
	breakMissing = "missing" // entries are missing in the middle or at the beginning
	breakCut     = "cut"     // entries are missing at the end
	breakRebuilt = "rebuilt" // the chain fits, but it is another one than was written
	breakPrior   = "prior"   // entries sealed with a lost key are others than they were when the new key came
)

// Verify reads the whole log, from where old files were removed, and checks every hash, every number, and the end against what the head remembers. Of entries
// sealed with a key that is lost it checks the numbers, and that they are what they were when the new key came.
func (l *Log) Verify() (Report, error) {
	seq, sum, err := l.head.AuditHead() // before the snapshot, so that it cannot be ahead of it
	if err != nil {
		return Report{}, fmt.Errorf("read head of audit log: %w", err)
	}
	key, fresh, err := l.fetch()
	if err != nil {
		return Report{}, err
	}
	l.reading.RLock()
	defer l.reading.RUnlock()
	s := l.now()
	base, err := s.base()
	if err != nil {
		return Report{}, err
	}
	under := len(s.files)
	if !fresh {
		if under, err = s.underKey(); err != nil {
			return Report{}, err
		}
	}
	c := &check{mac: hmac.New(sha256.New, key), digest: sha256.New(), head: link{seq, sum}, at: base}
	c.report.Removed = base.seq
	for i := range s.files {
		err := s.with(i, func(file io.ReaderAt, size int64) error {
			return c.file(io.NewSectionReader(file, 0, size), i < under, i == under && i > 0)
		})
		if errors.Is(err, fs.ErrNotExist) {
			c.broken(c.at.seq+1, breakMissing)
			return c.report, nil
		}
		if errors.Is(err, errStopped) {
			return c.report, nil
		}
		if err != nil {
			return c.report, err
		}
	}
	if c.at.seq < max(s.last.seq, c.head.seq) {
		c.broken(c.at.seq+1, breakCut)
		return c.report, nil
	}
	c.report.OK = true
	return c.report, nil
}

// check walks along a chain.
type check struct {
	mac    hash.Hash
	digest hash.Hash // of the files whose key is lost
	head   link      // what the store remembers
	at     link      // the last entry that was found intact
	// lost says that the lines were sealed with a key that is lost, takeover that the next one is the first under a new key.
	lost, takeover bool
	report         Report
}

func (c *check) file(r io.Reader, lost, takeover bool) error {
	c.lost, c.takeover = lost, takeover
	if lost {
		r = io.TeeReader(r, c.digest)
	}
	lines := linesOf(r)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if !c.line(lines.Bytes()) {
			return errStopped
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		c.broken(c.at.seq+1, breakEdited)
		return errStopped
	}
	if lines.Err() != nil {
		return fmt.Errorf("read audit file: %w", lines.Err())
	}
	return nil
}

func linesOf(r io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, blockSize), maxLine)
	return lines
}

// line checks the next line and reports whether the chain holds. What is no line at all was cut short, or was an entry
// once: then the next one does not follow.
func (c *check) line(line []byte) bool {
	next, open, ok := readLink(line)
	if !ok {
		c.report.Torn++
		return true
	}
	switch {
	case next.seq > c.at.seq+1:
		return c.broken(c.at.seq+1, breakMissing)
	case next.seq <= c.at.seq || !c.lost && !hmac.Equal(next.hash, c.at.sum(c.mac, open)):
		return c.broken(next.seq, breakEdited)
	case next.seq == c.head.seq && !bytes.Equal(next.hash, c.head.hash):
		return c.broken(next.seq, breakRebuilt)
	}
	if c.takeover && !says(line, c.digest, c.at.seq) {
		return c.broken(next.seq, breakPrior)
	}
	c.takeover = false
	c.at = next
	c.report.Entries++
	if c.lost {
		c.report.Unchecked++
	}
	return true
}

func (c *check) broken(seq uint64, how string) bool {
	c.report.BrokenAt = seq
	c.report.Error = &domain.Error{
		Code: domain.CodeAuditBroken, Message: sentence(how) + strconv.FormatUint(seq, 10),
		Hint: "Somebody or something changed the files of the audit log. Compare them with a backup.",
		Args: map[string]string{"seq": strconv.FormatUint(seq, 10), "break": how},
	}
	return false
}

func sentence(how string) string {
	switch how {
	case breakMissing:
		return "entries of the audit log are missing from number "
	case breakCut:
		return "the end of the audit log is missing from entry "
	case breakPrior:
		return "entries sealed with a lost key were changed since the new key, before entry "
	case breakRebuilt:
		return "the audit log was written anew up to entry "
	default:
		return "the audit log was edited at entry "
	}
}
