package domain

// Topic names what an Event is about.
type Topic string

// Topics are collections of the API: a page that shows one refetches it when its topic is heard.
const (
	TopicServers   Topic = "servers"
	TopicTests     Topic = "tests"
	TopicCalls     Topic = "calls"
	TopicInbox     Topic = "inbox"
	TopicApprovals Topic = "approvals"
	TopicPolicy    Topic = "policy"
	TopicActivity  Topic = "activity"
	TopicSettings  Topic = "settings"
	TopicLogs      Topic = "logs"
	TopicTraffic   Topic = "traffic"
	TopicResources Topic = "resources"
	TopicStatus    Topic = "status"
	TopicNetwork   Topic = "network"
)

// Event says that something changed, never what it is now. A lost event is harmless.
type Event struct {
	Topic Topic `json:"topic"`
	// ID is the one item that changed; empty means the whole collection.
	ID string `json:"id,omitempty"`
}
