package cli

import (
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Keys of what is said of a server's answers, as in config.toml.
const (
	cacheableTools = "cacheable_tools"
	cacheTTL       = "cache_ttl"
)

func cacheableToolsPlace(d *domain.Definition) place {
	return place{
		set: func(value string, _ bool) error {
			d.CacheableTools = nil
			for name := range strings.SplitSeq(value, ",") {
				if name = strings.TrimSpace(name); name != "" {
					d.CacheableTools = append(d.CacheableTools, name)
				}
			}
			return nil
		},
		unset: func() bool {
			had := len(d.CacheableTools) > 0
			d.CacheableTools = nil
			return had
		},
	}
}

func cacheTTLPlace(d *domain.Definition) place {
	return place{
		set: func(value string, _ bool) error {
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return invalidFlag("set", cacheTTL+" must be a number of seconds, not "+quoted(value), "Write "+cacheTTL+"=60, for example.")
			}
			d.CacheSeconds = seconds
			return nil
		},
		unset: func() bool {
			had := d.CacheSeconds > 0
			d.CacheSeconds = 0
			return had
		},
	}
}

func cacheValues(d domain.Definition) []configValue {
	var values []configValue
	if len(d.CacheableTools) > 0 {
		values = append(values, configValue{Key: cacheableTools, Value: strings.Join(d.CacheableTools, ",")})
	}
	if d.CacheSeconds > 0 {
		values = append(values, configValue{Key: cacheTTL, Value: strconv.FormatInt(d.CacheSeconds, 10)})
	}
	return values
}
