package main

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/window"
)

//go:embed build/icons/apollia-256.png
var icon []byte

const title = "Apollia Connexions"

// quitWait is how long a window that was told to end may take; an open native dialog would keep it for ever.
const quitWait = 3 * time.Second

// pageWait is when the servers start although no page has shown itself.
const pageWait = 5 * time.Second

// watchPage lets the window follow the page: its theme, language and title, from the moment it is painted.
const watchPage = `(root => {
  const tell = () => window.go.main.App.Shown(root.dataset.theme ?? '', root.lang, document.title)
  const watch = (node, what) => node && new MutationObserver(tell).observe(node, what)
  watch(root, {attributeFilter: ['data-theme', 'lang']})
  watch(document.querySelector('title'), {childList: true, characterData: true, subtree: true})
  requestAnimationFrame(() => requestAnimationFrame(tell))
})(document.documentElement)`

// App is what the page can ask of the window: its exported methods are window.go.main.App there. Everything else the
// page does goes through the API.
type App struct {
	house     *house
	runFolder string
	logger    *slog.Logger

	wails context.Context //nolint:containedctx // Wails hands it out once, and the bound methods get none
	ready chan struct{}   // closed once wails is set
	// painted is closed once the page has shown itself; paint closes it.
	painted chan struct{}
	paint   func()
	// abandon ends the process although the window is still there.
	abandon func()
	tasks   sync.WaitGroup // what runs beside the window and ends before run returns

	asking   atomic.Bool // the question before quitting is open
	quitting atomic.Bool // nothing is asked any more
	notifies atomic.Bool

	mu       sync.Mutex
	place    window.Place
	language string
}

func newApp(runFolder string, logger *slog.Logger) *App {
	painted := make(chan struct{})
	return &App{
		runFolder: runFolder, logger: logger, place: window.LoadPlace(runFolder), ready: make(chan struct{}),
		painted: painted, paint: sync.OnceFunc(func() { close(painted) }),
	}
}

// run shows the window until it is closed, a signal comes or the product is asked to stop. instance may be nil.
func (a *App) run(ctx context.Context, ui http.Handler, instance *window.Instance) error {
	over, end := context.WithCancel(ctx)
	defer time.AfterFunc(pageWait, a.paint).Stop()
	if instance != nil {
		a.tasks.Go(func() {
			if err := instance.Serve(over, func(window.Start) { a.show(over) }); err != nil {
				a.logger.Warn("listen for later starts", "error", err)
			}
		})
	}
	a.tasks.Go(func() { a.follow(over) })
	err := show(a.options(ui))
	a.quitting.Store(true)
	end()
	a.tasks.Wait()
	if err != nil {
		return fmt.Errorf("show the window: %w", err)
	}
	return nil
}

// show runs Wails, which panics where it finds no display that works.
func show(o *options.App) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v: is there a display? without one, use: apollia serve --open", p)
		}
	}()
	return wails.Run(o)
}

func (a *App) options(ui http.Handler) *options.App {
	start := options.Normal
	if a.place.Maximised {
		start = options.Maximised
	}
	return &options.App{
		Title: title, Width: a.place.Width, Height: a.place.Height, MinWidth: window.MinWidth, MinHeight: window.MinHeight,
		WindowStartState: start, BackgroundColour: background(a.place.Light),
		AssetServer: &assetserver.Options{Handler: keepPipes(surviving(page(a.house, ui), a.logger))},
		Menu:        applicationMenu(),
		Logger:      wailsLog{a.logger},
		OnStartup:   a.started, OnDomReady: a.loaded, OnBeforeClose: a.holdBack,
		Bind: []any{a},
		// A file dropped by accident must not replace the page.
		DragAndDrop: &options.DragAndDrop{DisableWebViewDrop: true},
		Linux:       &linux.Options{Icon: icon, ProgramName: "apollia-desktop", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		Mac:         &mac.Options{About: &mac.AboutInfo{Title: title, Message: fmt.Sprintf(wordsIn("en").about, version), Icon: icon}},
	}
}

// background is the page's own colour, so that nothing flashes before it is painted.
func background(light bool) *options.RGBA {
	if light {
		return options.NewRGB(0xf4, 0xf7, 0xf7)
	}
	return options.NewRGB(0x0e, 0x17, 0x1b)
}

// applicationMenu is the menu that macOS needs for its shortcuts; elsewhere the page has everything.
func applicationMenu() *menu.Menu {
	if goruntime.GOOS != "darwin" {
		return nil
	}
	return menu.NewMenuFromItems(menu.AppMenu(), menu.EditMenu(), menu.WindowMenu())
}

func (a *App) started(ctx context.Context) {
	a.wails = ctx
	close(a.ready)
	if a.place.Positioned && !a.place.Maximised {
		// Asking for the size returns when the window is up; it was centred by then, and is moved before it is painted.
		runtime.WindowGetSize(ctx)
		place := a.place.Within(screens(ctx))
		runtime.WindowSetPosition(ctx, place.X, place.Y)
	}
	if hasNotifications() && runtime.InitializeNotifications(ctx) == nil {
		runtime.OnNotificationResponse(ctx, func(runtime.NotificationResult) { a.show(ctx) })
		a.notifies.Store(true)
	}
}

func (a *App) loaded(ctx context.Context) { runtime.WindowExecJS(ctx, watchPage) }

// context is Wails' own, which its functions need.
func (a *App) context() context.Context {
	<-a.ready
	return a.wails
}

// changed tells the page what changed in the product. A page that is not there yet asks for everything when it comes.
func (a *App) changed(event domain.Event) {
	select {
	case <-a.ready:
	default:
		return
	}
	if !a.quitting.Load() {
		runtime.EventsEmit(a.wails, "apollia", event)
	}
}

// follow ends the window on a signal, or when somebody asks the product to stop.
func (a *App) follow(over context.Context) {
	if !happens(over, a.ready) {
		return
	}
	// Wails' own handler would ask before it ends, and a signal cannot answer.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	signalled, forget := signal.NotifyContext(over, os.Interrupt, syscall.SIGTERM)
	defer forget()
	if !a.askedToEnd(signalled, over) {
		return
	}
	a.quitting.Store(true)
	runtime.Quit(a.wails)
	select {
	case <-over.Done():
	case <-time.After(quitWait):
		a.abandon()
	}
}

// askedToEnd waits for a signal or for a product that stops, and says whether it came before the window was over.
func (a *App) askedToEnd(signalled, over context.Context) bool {
	opened := a.house.opened
	var stopped <-chan struct{}
	for {
		select {
		case <-signalled.Done():
			return over.Err() == nil
		case <-stopped:
			return true
		case <-opened:
			opened = nil
			if p := a.house.get(); p != nil {
				stopped = p.Stopped()
			}
		}
	}
}

// happens waits for something, and says whether it came before the window was over.
func happens(over context.Context, what <-chan struct{}) bool {
	select {
	case <-what:
		return true
	case <-over.Done():
		return false
	}
}

// show brings the window to the front.
func (a *App) show(over context.Context) {
	if !happens(over, a.ready) {
		return
	}
	runtime.WindowShow(a.wails)
	runtime.WindowUnminimise(a.wails) // to the front as well
}

// holdBack keeps the window's place, and asks before what is running stops.
func (a *App) holdBack(ctx context.Context) (prevent bool) {
	a.keepPlace(ctx)
	if a.quitting.Load() {
		return false
	}
	if a.asking.Swap(true) {
		return true
	}
	defer a.asking.Store(false)
	w := a.words()
	question := whatStops(ctx, a.house.get()).question(w)
	if question == "" {
		return false
	}
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: title, Message: dialogText(question),
		Buttons: []string{w.yes, w.no}, DefaultButton: w.no, CancelButton: w.no,
	})
	return err == nil && answer != "Yes" && answer != w.yes
}

func (a *App) keepPlace(ctx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.place.Maximised = runtime.WindowIsMaximised(ctx)
	if runtime.WindowIsNormal(ctx) {
		a.place.Width, a.place.Height = runtime.WindowGetSize(ctx)
		a.place.X, a.place.Y = runtime.WindowGetPosition(ctx)
		a.place.Positioned = true
	}
	if err := a.place.Save(a.runFolder); err != nil {
		a.logger.Warn("keep the window's place", "error", err)
	}
}

func screens(ctx context.Context) []window.Screen {
	all, err := runtime.ScreenGetAll(ctx)
	if err != nil {
		return nil
	}
	found := make([]window.Screen, 0, len(all))
	for _, screen := range all {
		found = append(found, window.Screen{Width: screen.Size.Width, Height: screen.Size.Height})
	}
	return found
}

// Shown follows the page: its theme gives the window its colour, its language the words of the native dialogs.
func (a *App) Shown(theme, language, pageTitle string) {
	a.paint()
	a.mu.Lock()
	a.language = language
	a.place.Light = theme == "light"
	colour := background(a.place.Light)
	a.mu.Unlock()
	runtime.WindowSetBackgroundColour(a.context(), colour.R, colour.G, colour.B, colour.A)
	if pageTitle != "" {
		runtime.WindowSetTitle(a.context(), pageTitle)
	}
}

// OpenURL opens a web address in the person's browser. Other schemes are refused: they could start programs.
func (a *App) OpenURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return errors.New("open link: only http and https addresses open in the browser")
	}
	runtime.BrowserOpenURL(a.context(), u.String())
	return nil
}

// ChooseFile asks for a file, such as a program; empty when nothing was chosen.
func (a *App) ChooseFile(question string) (string, error) {
	return runtime.OpenFileDialog(a.context(), runtime.OpenDialogOptions{Title: question, ShowHiddenFiles: true})
}

// ChooseFolder asks for a folder; empty when nothing was chosen.
func (a *App) ChooseFolder(question string) (string, error) {
	return runtime.OpenDirectoryDialog(a.context(), runtime.OpenDialogOptions{Title: question, ShowHiddenFiles: true, CanCreateDirectories: true})
}

// SaveText asks where to keep a text and writes it there; the path is empty when nothing was chosen.
func (a *App) SaveText(name, text string) (string, error) { return a.save(name, []byte(text)) }

// SaveBase64 does the same with data in base64.
func (a *App) SaveBase64(name, data string) (string, error) {
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", fmt.Errorf("save %s: %w", filepath.Base(name), err)
	}
	return a.save(name, content)
}

func (a *App) save(name string, content []byte) (string, error) {
	file, err := runtime.SaveFileDialog(a.context(), runtime.SaveDialogOptions{
		DefaultFilename: filepath.Base(name), CanCreateDirectories: true,
	})
	if err != nil || file == "" {
		return "", err
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return "", a.tell(runtime.ErrorDialog, fmt.Sprintf(a.words().notSaved, filepath.Base(file), err))
	}
	return file, nil
}

// Notify shows a notification of the desktop, and says whether it could. A click on it shows the window.
func (a *App) Notify(id, heading, text string) bool {
	if !a.notifies.Load() {
		return false
	}
	return runtime.SendNotification(a.context(), runtime.NotificationOptions{ID: id, Title: heading, Body: text}) == nil
}

// About shows name, version and licence.
func (a *App) About() error {
	return a.tell(runtime.InfoDialog, fmt.Sprintf(a.words().about, version))
}

func (a *App) tell(kind runtime.DialogType, text string) error {
	_, err := runtime.MessageDialog(a.context(), runtime.MessageDialogOptions{
		Type: kind, Title: title, Message: dialogText(text), Icon: icon,
	})
	return err
}

// words are the sentences in the language that the page shows.
func (a *App) words() words {
	a.mu.Lock()
	defer a.mu.Unlock()
	return wordsIn(a.language)
}

// Quit closes the window as its close button does.
func (a *App) Quit() { runtime.Quit(a.context()) }
