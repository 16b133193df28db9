package store

import (
	"cmp"
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// pruneEvery is how many new requests pass between two looks for ended ones to forget.
const pruneEvery = 64

// pruneRequests forgets ended requests, so that keep of them are left at most: the oldest of the servers that have most. So
// none can wash out what was answered to another. Open ones always stay.
func pruneRequests(tx *bbolt.Tx, keep int) error {
	ended, err := endedRequests(tx)
	if err != nil {
		return err
	}
	counts := make([]int, 0, len(ended))
	for keys := range maps.Values(ended) {
		counts = append(counts, len(keys))
	}
	share := shareOf(counts, keep)
	for _, keys := range ended {
		for _, k := range keys[min(share, len(keys)):] {
			if err := tx.Bucket([]byte(requestsBucket)).Delete(k); err != nil {
				return err
			}
		}
	}
	return nil
}

// endedRequests are the keys of the requests that are not open, by server, the newest first.
func endedRequests(tx *bbolt.Tx) (map[string][][]byte, error) {
	open := tx.Bucket([]byte(openRequestsBucket))
	ended := make(map[string][][]byte)
	cursor := tx.Bucket([]byte(requestsBucket)).Cursor()
	for k, _ := cursor.Last(); k != nil; k, _ = cursor.Prev() {
		if open.Get(k) != nil {
			continue
		}
		of, _, err := load[struct {
			Server string `json:"server"`
		}](tx, requestsBucket, k)
		if err != nil {
			return nil, err
		}
		ended[of.Server] = append(ended[of.Server], k)
	}
	return ended, nil
}

// shareOf is the most that each may keep so that all together keep no more than there is room for. Who has less than an equal
// part leaves the rest of it to the others.
func shareOf(counts []int, room int) int {
	slices.SortFunc(counts, cmp.Compare[int])
	share := room
	for i, count := range counts {
		if share = room / (len(counts) - i); count > share {
			return share
		}
		room -= count
	}
	return max(share, slices.Max(append(counts, 0)))
}
