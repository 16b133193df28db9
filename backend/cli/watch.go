package cli

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// farewellTime bounds what a command still does after Ctrl C.
const farewellTime = 2 * time.Second

// runWatch reads a resource, and again whenever its server says that it changed, until the person has seen enough. An
// owner is started if need be: something has to listen. What was not followed before is not followed after.
func runWatch(ctx context.Context, in *invocation, o callOptions) error {
	return in.withOwner(ctx, func(c *client) error {
		path := at("servers", o.server, "subscriptions")
		before, err := subscription(ctx, c, path, o.name)
		if err != nil {
			return err
		}
		if _, err := send[api.SubscriptionList](ctx, c, http.MethodPut, path, api.ResourceRef{URI: o.name}); err != nil {
			return err
		}
		if before == nil {
			defer unfollow(ctx, c, path, o.name)
		}
		var shown *time.Time
		return c.follow(ctx, about(domain.TopicResources, ""), func() error {
			now, err := subscription(ctx, c, path, o.name)
			switch {
			case err != nil:
				return err
			case now == nil:
				return notFollowed(o)
			case shown != nil && !now.After(*shown):
				return nil // another one changed
			}
			shown = now
			return in.readAgain(ctx, c, o)
		})
	})
}

// subscription says when a resource that is followed last changed, the zero time for never, and nil for one that is not.
func subscription(ctx context.Context, c *client, path, uri string) (*time.Time, error) {
	list, err := get[api.SubscriptionList](ctx, c, path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list.Subscriptions, func(s domain.Subscription) bool { return s.URI == uri })
	switch {
	case i < 0:
		return nil, nil
	case list.Subscriptions[i].ChangedAt == nil:
		return &time.Time{}, nil
	}
	return list.Subscriptions[i].ChangedAt, nil
}

// unfollow outlives the command's context, which Ctrl C has ended.
func unfollow(ctx context.Context, c *client, path, uri string) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), farewellTime)
	defer stop()
	_ = drop(ctx, c, path+"?uri="+url.QueryEscape(uri)) // the owner may have ended, and with it what is followed
}

func notFollowed(o callOptions) error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "somebody else stopped following " + o.name,
		Hint: "Run the command again to go on.", Args: map[string]string{"item": o.name},
	}
}

// readAgain shows what a resource holds now.
func (in *invocation) readAgain(ctx context.Context, c *client, o callOptions) error {
	view, err := in.call(ctx, c, api.CallRequest{Server: o.server, Kind: o.kind, Name: o.name}, time.Duration(o.wait)*time.Second)
	if err != nil {
		return err
	}
	document := documentOf(view)
	return in.each(document, func() { in.result(document) })
}
