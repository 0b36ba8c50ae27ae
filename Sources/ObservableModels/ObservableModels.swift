// ObservableModels
