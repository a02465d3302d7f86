// A part that throws, or waits for its data, does so in its own place; the rest of the page stays, and keeps the focus.
import { Component, Suspense, type ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { ProblemBox } from './problem-box.tsx'

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('unknown') }
  }

  override render(): ReactNode {
    if (this.state.error === undefined)
      return <Suspense fallback={<Loading rows={3} />}>{this.props.children}</Suspense>
    return <ProblemBox error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
  }
}
