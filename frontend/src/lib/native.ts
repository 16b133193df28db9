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

/** A page that is asked for before its address is known. */
export interface Tab {
  /** Opens the address, and says whether the person can see it. */
  go: (url: string) => boolean
  close: () => void
}

/**
 * Takes a tab while a person presses, which is the only moment a browser allows it; text stands in it until the address
 * is there. The window has the system's browser open it and needs none.
 */
export function takeTab(text: string): Tab {
  if (native('OpenURL')) {
    const go = (url: string) => {
      openOutside(url)
      return true
    }
    return { go, close: () => undefined }
  }
  const tab = window.open('', '_blank')
  if (!tab) return { go: () => false, close: () => undefined }
  tab.opener = null // the page that is opened must not reach this one
  fill(tab.document, text)
  const go = (url: string) => {
    if (tab.closed) return false
    tab.location.replace(url)
    return true
  }
  return { go, close: () => tab.close() }
}

/** Writes one sentence on an empty page. It may stand there for a minute: in the colours of the system, and read aloud. */
function fill(page: Document, text: string): void {
  const main = page.createElement('main')
  const heading = page.createElement('h1')
  heading.textContent = text
  heading.style.font = '15px system-ui'
  main.style.cssText = 'margin: 30vh 1rem; text-align: center'
  main.append(heading)
  page.title = text
  page.documentElement.lang = document.documentElement.lang
  page.documentElement.style.colorScheme = 'light dark'
  page.body.replaceChildren(main)
}
