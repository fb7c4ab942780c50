export interface StorefrontState {
  readonly cartCount: number;
  readonly language: string;
  readonly toasts: readonly { readonly id: number; readonly text: string; readonly tone: "info" | "warning" }[];
}

export type Action =
  | { readonly type: "cart-changed"; readonly count: number }
  | { readonly type: "language-chosen"; readonly language: string }
  | { readonly type: "toast-shown"; readonly text: string; readonly tone: "info" | "warning" }
  | { readonly type: "toast-dismissed"; readonly id: number };

/** A pure reducer: the same state and action always give the same next state. */
export function reduce(state: StorefrontState, action: Action): StorefrontState {
  switch (action.type) {
    case "cart-changed":
      return { ...state, cartCount: action.count };
    case "language-chosen":
      return { ...state, language: action.language };
    case "toast-shown": {
      const id = 1 + Math.max(0, ...state.toasts.map((toast) => toast.id));
      const kept = state.toasts.slice(-2);
      return { ...state, toasts: [...kept, { id, text: action.text, tone: action.tone }] };
    }
    case "toast-dismissed":
      return { ...state, toasts: state.toasts.filter((toast) => toast.id !== action.id) };
  }
}

export class Store {
  private listeners: ((state: StorefrontState) => void)[] = [];

  constructor(private state: StorefrontState) {}

  get current(): StorefrontState {
    return this.state;
  }

  dispatch(action: Action): void {
    this.state = reduce(this.state, action);
    this.listeners.forEach((listener) => listener(this.state));
  }

  subscribe(listener: (state: StorefrontState) => void): () => void {
    this.listeners = [...this.listeners, listener];
    return () => {
      this.listeners = this.listeners.filter((other) => other !== listener);
    };
  }
}
