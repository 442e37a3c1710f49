import type { Html } from '../../../pages/html.ts'
import { linkList } from '../../../pages/parts.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { TAGS, type TagName } from '../../../schemas/operations/tags.ts'
import { type Components, jsonSchema } from '../json-schema.ts'

/** A page of the documentation: the operations of one tag, and the shapes that no page before it has. */
export interface DocsSubject {
  name: TagName
  slug: string
  description: string
  operations: readonly OperationSpec[]
  shapes: Components
}

/** `Locked deposits` → `locked-deposits`. */
const slugOf = (name: TagName): string => name.toLowerCase().replaceAll(' ', '-')

/** Address of the page of a subject. */
export const subjectPath = (name: TagName): string => `/docs/${slugOf(name)}`

/** Address of an operation in the documentation. */
export const operationPath = ({ id, tags: [name] }: OperationSpec): string => `/docs/${slugOf(name)}#op-${id}`

/** Address of a shape in the documentation, on the page of its subject. */
export const shapePath = ({ slug }: DocsSubject, name: string): string => `/docs/${slug}#shape-${name}`

const byPath = (left: OperationSpec, right: OperationSpec): number => (left.path < right.path ? -1 : 1)

const shapesOf = ({ params, query, body, responses }: OperationSpec): Components => {
  const components: Components = new Map()
  for (const schema of [params, query, body, ...Object.values(responses)]) if (schema !== undefined) jsonSchema(schema, components)
  return components
}

/** Subjects in the order of the tags. A named shape belongs to the first that uses it. */
export const docsSubjects = (operations: readonly OperationSpec[]): DocsSubject[] => {
  const placed = new Set<string>()
  return TAGS.flatMap(({ name, description }) => {
    const own = operations.filter(({ tags: [first] }) => first === name).toSorted(byPath)
    if (own.length === 0) return []
    const shapes = new Map(own.flatMap((spec) => [...shapesOf(spec)]).filter(([shape]) => !placed.has(shape)))
    for (const shape of shapes.keys()) placed.add(shape)
    return [{ name, slug: slugOf(name), description, operations: own, shapes }]
  })
}

/** Operations as links, each with what it does. */
export const operationLinks = (operations: readonly OperationSpec[]): Html =>
  linkList(operations.map((spec) => [operationPath(spec), `${spec.method} ${spec.path}`, spec.summary]))
