// Package toolbox gives agents what they see: meta-tools, management actions, normalised results, read_more, schema probing.
package toolbox
