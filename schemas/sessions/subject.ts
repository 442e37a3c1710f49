import { subject } from '../subject.ts'

export const sessions = subject({
  name: 'sessions',
  buildsOn: ['catalogue'],
  entities: () => import('./entities.ts'),
  operations: async () => ({ ...(await import('./operations.ts')), ...(await import('./admin-operations.ts')) }),
})
