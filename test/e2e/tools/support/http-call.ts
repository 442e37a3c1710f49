import type { OperationSpec } from '../../../../schemas/operations/operation.ts'
import type { CallInit } from '../../support/http.ts'
import type { Arguments } from './clients.ts'

/** The HTTP request that does what a tool does with these arguments. */
export const httpCallOf = (spec: OperationSpec, sent: Arguments): { path: string; init: CallInit } => {
  const { short } = spec.tool ?? {}
  const { detail, ...given } = sent
  const left: Arguments = { ...spec.tool?.defaults, ...(detail !== 'full' && short?.by), ...(short === undefined ? sent : given) }
  const take = (name: string): string => {
    const value = String(left[name])
    delete left[name]
    return value
  }
  const path = spec.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(take(name)))
  if (spec.method === 'POST') return { path, init: { body: left } }
  const query = new URLSearchParams(Object.keys(left).map((name) => [name, take(name)] as [string, string]))
  return { path: `${path}?${query}`, init: {} }
}
