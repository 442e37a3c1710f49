import type { OperationSpec } from '../../schemas/operations/operation.ts'
import { decodeEscapes } from './input.ts'

interface Part {
  /** Null for a literal. */
  parameter: string | null
  /** The literal, or what follows the parameter (`.json`). */
  text: string
}

/** All operations of one path template. */
interface Route {
  parts: Part[]
  methods: Map<string, OperationSpec>
}

/** The operations of one path, with its path parameters. */
export interface Match {
  methods: ReadonlyMap<string, OperationSpec>
  params: Record<string, string>
}

const partOf = (segment: string): Part => {
  const [, parameter, suffix] = /^:([A-Za-z]+)(.*)$/.exec(segment) ?? []
  return parameter === undefined ? { parameter: null, text: segment } : { parameter, text: suffix ?? '' }
}

const literals = ({ parts }: Route): string =>
  parts.map(({ parameter, text }) => (parameter === null ? '0' : text === '' ? '2' : '1')).join('')
/** Literal segments before parameters with a fixed ending before plain parameters, from the left. */
const byPrecedence = (left: Route, right: Route): number => (literals(left) < literals(right) ? -1 : 1)

const readParams = (parts: Part[], segments: string[]): Record<string, string> | null => {
  if (parts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [index, { parameter, text }] of parts.entries()) {
    const segment = segments[index] ?? ''
    if (parameter === null) {
      if (segment !== text) return null
    } else {
      if (!segment.endsWith(text) || segment.length === text.length) return null
      params[parameter] = segment.slice(0, segment.length - text.length)
    }
  }
  return params
}

/** Segments of a request path: one trailing slash removed, each decoded once. Throws `invalid_request` for a malformed escape. */
const segmentsOf = (path: string): string[] => {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return trimmed
    .slice(1)
    .split('/')
    .map((segment) => decodeEscapes(segment, 'path'))
}

const routesOf = (operations: readonly OperationSpec[]): Route[] => {
  const routes = new Map<string, Route>()
  for (const spec of operations) {
    // With nameless parameters: `/jobs/:/estimate`.
    const template = spec.path.replaceAll(/:[A-Za-z]+/g, ':')
    const route = routes.get(template) ?? { parts: spec.path.slice(1).split('/').map(partOf), methods: new Map() }
    if (route.methods.has(spec.method)) throw new Error(`two operations answer ${spec.method} ${spec.path}`)
    route.methods.set(spec.method, spec)
    routes.set(template, route)
  }
  return [...routes.values()].sort(byPrecedence)
}

/** Finds operations by path. Throws when two operations share method and path. */
export const createRoutes = (operations: readonly OperationSpec[]) => {
  const routes = routesOf(operations)
  /** Null when no operation has this path. Throws `invalid_request` for a malformed percent-escape. */
  return (path: string): Match | null => {
    const segments = segmentsOf(path)
    for (const { parts, methods } of routes) {
      const params = readParams(parts, segments)
      if (params !== null) return { methods, params }
    }
    return null
  }
}

/** Methods of a path for `Allow`: GET implies HEAD. */
export const allowedMethods = ({ methods }: Match): string[] => [
  ...[...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
  'OPTIONS',
]
