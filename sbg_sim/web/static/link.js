// The connection to the server: questions and answers over one socket, which reconnects by itself.

const NEWEST = new Set(["held", "placed", "outline", "contours", "near", "denies", "chances", "threats", "safe"]);

export class Link {
  constructor() {
    this.waiting = new Map(); // number -> {verb, resolve, reject}
    this.number = 0;
    this.open = false;
    this.onopen = this.onlost = () => {};
    this.pause = 200;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/api/line`);
    this.socket = socket;
    socket.onopen = () => { this.open = true; this.pause = 200; this.onopen(); };
    socket.onmessage = (event) => this.heard(event.data);
    socket.onclose = (event) => {
      const was = this.open;
      this.open = false;
      for (const one of this.waiting.values()) one.reject({ status: 0, error: "the server does not answer", lost: true });
      this.waiting.clear();
      this.onlost(event.reason, was);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.6, 4000);
    };
  }

  heard(text) {
    const cut = text.indexOf("\n");
    const [number, status] = text.slice(0, cut).split(" ").map(Number);
    const asked = this.waiting.get(number);
    if (!asked) return; // too late: a newer question of this kind has been asked
    this.waiting.delete(number);
    const body = JSON.parse(text.slice(cut + 1));
    if (status === 200) asked.resolve(body); else asked.reject({ status, ...body });
  }

  // Resolves to the answer, or to null if a newer question of this kind replaced it; rejects with {status, error, faults}.
  ask(verb, body) {
    if (!this.open) return Promise.reject({ status: 0, error: "the server does not answer", lost: true });
    if (NEWEST.has(verb)) {
      for (const [number, one] of this.waiting) {
        if (one.verb === verb) { this.waiting.delete(number); one.resolve(null); }
      }
    }
    const number = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { verb, resolve, reject });
      this.socket.send(`${verb} ${number}\n${JSON.stringify(body)}`);
    });
  }
}
