/** Placeholder until the feature exists. */
export default function Route() {
  return null
}
