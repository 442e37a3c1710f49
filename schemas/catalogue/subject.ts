import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const catalogue = subject({
  name: 'catalogue',
  buildsOn: ['content'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})

/** Its operations for operators, which stand at the end of the documents. */
export const catalogueAdmin = { ...catalogue, operations: () => import('./admin-operations.ts') }
