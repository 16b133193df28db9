package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
)

// TaskList is the calls that go on as tasks.
type TaskList struct {
	Tasks []domain.Task `json:"tasks"`
}

func (a *API) registerTasks() {
	route(a, http.MethodGet, "/api/tasks", "listTasks", "List the calls that go on as tasks", a.tasks)
	route(a, http.MethodDelete, "/api/servers/{id}/tasks/{task}", "cancelTask", "Ask a server to end a task", a.cancelTask)
}

func (a *API) tasks(_ context.Context, in *struct {
	Server string `query:"server" doc:"id or name of a server; all of them without"`
},
) (*body[TaskList], error) {
	tasks, err := a.Servers.Tasks(in.Server)
	if err != nil {
		return nil, err
	}
	return &body[TaskList]{TaskList{Tasks: tasks}}, nil
}

func (a *API) cancelTask(ctx context.Context, in *struct {
	ItemID
	Task string `path:"task"`
},
) (*done, error) {
	return &done{}, a.Servers.CancelTask(ctx, in.ID, in.Task)
}
