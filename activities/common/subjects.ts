import { readdirSync } from 'node:fs'

/** A module of a subject. */
export interface Loaded<Module> {
  subject: string
  module: Module
}

/** Loads the files of every subject of a layer whose name matches, in the order of their paths: many at once take memory that stays. */
export const loadSubjects = async <Module>(layer: URL, name: RegExp): Promise<Loaded<Module>[]> => {
  const folders = readdirSync(layer, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const subjects = folders.map((folder) => folder.name).sort()
  const found = subjects.flatMap((subject) => {
    const folder = new URL(`${subject}/`, layer)
    const files = readdirSync(folder).filter((file) => name.test(file))
    return files.sort().map((file) => ({ subject, url: new URL(file, folder) }))
  })
  const loaded: Loaded<Module>[] = []
  for (const { subject, url } of found) loaded.push({ subject, module: await import(url.href) })
  return loaded
}

/** The members of all subjects in one object. Throws when two have one of the same name. */
export const mergeSubjects = <Member>(kind: string, parts: readonly Loaded<object>[]): Record<string, Member> => {
  const owners = new Map<string, string>()
  const merged: Record<string, Member> = {}
  for (const { subject, module } of parts)
    for (const [name, member] of Object.entries(module)) {
      const owner = owners.get(name)
      if (owner !== undefined) throw new Error(`two subjects have the ${kind} ${name}: ${owner} and ${subject}`)
      owners.set(name, subject)
      merged[name] = member
    }
  return merged
}
