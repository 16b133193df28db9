export function Palette({ open }: { open: boolean; onClose: () => void }) {
  return open ? null : null
}
