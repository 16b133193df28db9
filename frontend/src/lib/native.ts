/**
 * The native side of the window: dialogs, notifications and the system's browser. In a browser there is none, and the
 * buttons that need it are absent.
 */
export interface Native {
  ChooseFile: (title: string) => Promise<string>
  ChooseFolder: (title: string) => Promise<string>
  OpenURL: (url: string) => Promise<void>
  /** Shows a notification of the desktop, and says whether it could. */
  Notify: (id: string, heading: string, text: string) => Promise<boolean>
  /** Asks where to keep a text, or data in base64, and writes it there; gives the path, or "" when none was chosen. */
  SaveText: (name: string, text: string) => Promise<string>
  SaveBase64: (name: string, data: string) => Promise<string>
  About: () => Promise<void>
}

interface NativeWindow {
  go?: { main?: { App?: Partial<Native> } }
}

/** One native function, or undefined where there is no window to ask. */
export function native<K extends keyof Native>(name: K): Native[K] | undefined {
  return (window as NativeWindow).go?.main?.App?.[name]
}

/** Opens a page outside of the application, in the person's own browser. */
export function openOutside(url: string): void {
  const open = native('OpenURL')
  if (open) void open(url)
  else window.open(url, '_blank', 'noopener,noreferrer')
}
