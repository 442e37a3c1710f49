import { subject } from '../subject.ts'

export const deliveries = subject({
  name: 'deliveries',
  buildsOn: ['pull-requests', 'sessions', 'verification', 'catalogue'],
  entities: () => import('./entities.ts'),
})
