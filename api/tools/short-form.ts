type Body = Readonly<Record<string, unknown>>

/** Members that stay, by name; null for a member that stays whole. */
interface Kept {
  [name: string]: Kept | null
}

const treeOf = (paths: readonly string[]): Kept => {
  const tree: Kept = {}
  for (const path of paths) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = tree
    for (const name of names) {
      const inner = place[name] ?? {}
      place[name] = inner
      place = inner
    }
    place[last] = null
  }
  return tree
}

const keep = (value: unknown, kept: Kept): unknown => {
  if (Array.isArray(value)) return value.map((entry) => keep(entry, kept))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(kept, name))
  return Object.fromEntries(
    members.map(([name, member]) => {
      const inner = kept[name] ?? null
      return [name, inner === null ? member : keep(member, inner)]
    }),
  )
}

/** The answer with these members and its next actions. In `blockers.code` it is the member `code` of each entry of `blockers`. */
export const shortForm = (body: Body, members: readonly string[]): Body => keep(body, treeOf([...members, 'nextActions'])) as Body
