// Package model asks an OpenAI-compatible endpoint for the texts that servers want, and says whether the endpoint is ready.
//
// It knows MCP's sampling/createMessage as revisions 2025-11-25 and 2026-07-28 word it, and the chat completions that
// OpenAI, Ollama, vLLM, LM Studio and most others answer. Who may ask, how often, and who agrees, is for its callers.
package model
