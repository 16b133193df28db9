package domain

// ServerOff says that a server is off or disconnected, so that nothing can be asked of it. Its name may be the id where
// no more is known.
func ServerOff(id, name string) *Error {
	return &Error{
		Code: CodeServerOff, Message: "the server " + name + " is off",
		Hint: "Switch it on: apollia mcp enable " + id + "; or connect it: apollia mcp connect " + id,
		Args: map[string]string{"server": name}, Cause: ErrUnsent,
	}
}

// UnknownTask says that no call goes on as this task.
func UnknownTask(id string) *Error {
	return &Error{
		Code: CodeUnknownItem, Message: "There is no task \"" + id + "\" that goes on.",
		Hint: "See those that do with: apollia mcp tasks", Args: map[string]string{"item": id},
	}
}
