package main

import (
	"crypto/tls"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
)

// serverConfig is what the flags say of the server. It reads the files that they name.
func (f *serveFlags) serverConfig(db *cubeloom.DB, dataDir string) (cfg server.Config, err error) {
	cfg = server.Config{
		DB: db, MaxConnections: f.maxConnections, MaxRunning: f.maxRunning, MaxQueued: f.maxQueued,
		SlowQuery: f.slowQuery, LogLiterals: f.logLiterals,
	}
	if f.maxRunning < 0 {
		return cfg, fmt.Errorf("--max-running must not be negative, got %d", f.maxRunning)
	}
	if f.maxQueued < 1 {
		return cfg, fmt.Errorf("--max-queued must be at least 1, got %d", f.maxQueued)
	}
	if f.maxConnections < 1 {
		return cfg, fmt.Errorf("--max-connections must be at least 1, got %d", f.maxConnections)
	}
	if cfg.Settings, err = f.sessionSettings(db); err != nil {
		return cfg, err
	}
	if cfg.Files, err = f.openFiles(dataDir); err != nil {
		return cfg, err
	}
	if cfg.TLS, err = f.tls(dataDir); err != nil {
		return cfg, err
	}
	if f.rules != "" {
		cfg.Rules, err = server.LoadRules(f.rules)
	}
	return cfg, err
}

// sessionSettings are the settings of --set, where a session can have them.
func (f *serveFlags) sessionSettings(db *cubeloom.DB) (map[string]string, error) {
	settings := map[string]string{}
	trial := db.Session()
	defer trial.Close()
	for _, assignment := range f.settings {
		name, text, ok := strings.Cut(assignment, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes NAME=VALUE, got %q", assignment)
		}
		if err := trial.SetParameter(name, text); err != nil {
			return nil, fmt.Errorf("--set %s: %w", assignment, err)
		}
		settings[name] = text
	}
	return settings, nil
}

// tls is how connections are secured; nil for not at all.
func (f *serveFlags) tls(dataDir string) (config *tls.Config, err error) {
	switch {
	case f.noTLS:
		return nil, nil
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return nil, fmt.Errorf("--tls-cert and --tls-key go together")
	case f.tlsCert != "":
		config, err = server.TLSConfig(f.tlsCert, f.tlsKey)
	default:
		config, err = server.SelfSigned(dataDir)
	}
	if err == nil && f.tlsClientCA != "" {
		err = server.TrustClients(config, f.tlsClientCA)
	}
	return config, err
}
