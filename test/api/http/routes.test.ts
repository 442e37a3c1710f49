import { describe, expect, test } from '@jest/globals'
import { createRoutes } from '../../../api/http/routes.ts'
import { type OperationSpec, PUBLIC } from '../../../schemas/operations/operation.ts'

const spec = (path: string, method: OperationSpec['method'] = 'GET'): OperationSpec => ({
  id: `${method} ${path}`,
  method,
  path,
  summary: '',
  tags: ['Platform'],
  auth: PUBLIC,
  responses: {},
  errors: [],
})
const match = createRoutes([
  spec('/things/:id'),
  spec('/things/:id/parts'),
  spec('/things/new'),
  spec('/things/new/:part'),
  spec('/things/:name.json'),
  spec('/things/:id', 'POST'),
])
const found = (path: string) => {
  const hit = match(path)
  return hit && [hit.methods.get('GET')?.path, hit.params]
}

describe('a path', () => {
  test('goes to a literal before a parameter, whatever the order of the registry', () => {
    expect(found('/things/new')).toEqual(['/things/new', {}])
    expect(found('/things/other')).toEqual(['/things/:id', { id: 'other' }])
    expect(found('/things/a.json')).toEqual(['/things/:name.json', { name: 'a' }])
    expect(found('/things/new/parts')).toEqual(['/things/new/:part', { part: 'parts' }])
    expect(found('/things/other/parts')).toEqual(['/things/:id/parts', { id: 'other' }])
  })

  test('finds every method of its template', () => {
    expect([...(match('/things/x')?.methods.keys() ?? [])]).toEqual(['GET', 'POST'])
  })

  test('with an empty parameter matches nothing', () => {
    expect(found('/things//parts')).toBeNull()
    expect(found('/things/')).toBeNull()
  })
})
