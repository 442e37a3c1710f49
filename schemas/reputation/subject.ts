import { subject } from '../subject.ts'

export const reputation = subject({
  name: 'reputation',
  buildsOn: ['identity', 'sessions'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
