import { subject } from '../subject.ts'

export const pool = subject({
  name: 'pool',
  buildsOn: ['chain'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
