export function Wizard() {
  return null
}

export function EditWizard({ serverId }: { serverId: string }) {
  return <>{serverId}</>
}

export function TestPage({ serverId }: { serverId: string }) {
  return <>{serverId}</>
}
