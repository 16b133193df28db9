/** Gives text to the person as a file. */
export function saveText(name: string, text: string): void {
  saveUrl(name, URL.createObjectURL(new Blob([text], { type: 'text/plain' })))
}

/** Gives base64 data to the person as a file. Its type is hidden, so that nothing opens it by itself. */
export function saveBase64(name: string, data: string): void {
  const bytes = Uint8Array.from(atob(data.replace(/[^A-Za-z0-9+/=]/g, '')), (char) => char.charCodeAt(0))
  saveUrl(name, URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' })))
}

function saveUrl(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[^\w.-]+/g, '_')
  link.click()
  URL.revokeObjectURL(url)
}
