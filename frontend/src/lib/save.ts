import { native } from './native'

/** Gives text to the person as a file. A window asks where; a browser has its own place for downloads. */
export function saveText(name: string, text: string): void {
  const save = native('SaveText')
  if (save) void save(safe(name), text)
  else download(name, new Blob([text], { type: 'text/plain' }))
}

/** Gives base64 data to the person as a file. Its type is hidden, so that nothing opens it by itself. */
export function saveBase64(name: string, data: string): void {
  const clean = data.replace(/[^A-Za-z0-9+/=]/g, '')
  const save = native('SaveBase64')
  if (save) void save(safe(name), clean)
  else {
    const bytes = Uint8Array.from(atob(clean), (char) => char.charCodeAt(0))
    download(name, new Blob([bytes], { type: 'application/octet-stream' }))
  }
}

const safe = (name: string) => name.replace(/[^\w.-]+/g, '_')

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = safe(name)
  link.click()
  URL.revokeObjectURL(url)
}
