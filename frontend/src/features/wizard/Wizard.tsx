export function Wizard() {
  return null
}

export function EditWizard({ serverId }: { serverId: string }) {
  return <>{serverId}</>
}
