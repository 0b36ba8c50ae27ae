// The script of a page that follows a stream with an unmodified EventSource. `view` is the state that the page shows.
window.view = {values: {}, opens: 0, errors: 0, resets: 0, gone: [], end: null, isClosed: false};

window.follow = url => {
  const source = window.source = new EventSource(url);
  const shown = value => (value && Array.isArray(value.items) ? Object.fromEntries(value.items.map(item => [item.id, item])) : value);
  const on = (name, act) => source.addEventListener(name, event => act(event.data ? JSON.parse(event.data) : {}));
  source.onopen = () => view.opens++;
  source.onerror = () => {
    view.errors++;
    view.isClosed = source.readyState === EventSource.CLOSED;
  };
  on('snapshot', event => { view.values[event.name] = shown(event.value); });
  on('change', event => {
    for (const {name, event: what} of event.for) {
      if (what === 'leave') delete view.values[name][event.id];
      else if (what === 'deleted') view.values[name] = null;
      else if (what === 'enter' || (view.values[name] && event.id in view.values[name])) view.values[name][event.id] = event.value;
      else view.values[name] = event.value;
    }
  });
  on('reset', event => {
    view.resets++;
    for (const name of event.name ? [event.name] : Object.keys(view.values)) delete view.values[name];
  });
  on('gone', event => view.gone.push(event.name));
  on('end', event => { view.end = event.reason; });
};
