// The address of an OpenAI-compatible endpoint.

const ownHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/

/** The address that was meant: without a scheme it is http on this computer, https elsewhere. */
export function endpointOf(typed: string): string {
  if (typed === '' || /^\w+:\/\//.test(typed)) return typed
  return `${ownHost.test(typed) ? 'http' : 'https'}://${typed}`
}

/** Whether a model runs on this computer. */
export const isOwn = (address: string) => ownHost.test(address.replace(/^\w+:\/\//, ''))
