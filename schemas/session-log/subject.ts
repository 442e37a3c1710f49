import { subject } from '../subject.ts'

export const sessionLog = subject({
  name: 'session-log',
  buildsOn: ['identity', 'sessions'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
